# Lists notes with the list.sh of the working directory, in a copy of it.
set -eu
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R . "$copy"
cd "$copy"
rm -rf notes
test -z "$(sh list.sh)"
mkdir notes
echo '# Zebra' >notes/zebra.md
echo '# Ant' >notes/ant.md
test "$(sh list.sh)" = "$(printf 'Ant\nZebra')"
