# Searches notes with the search.sh of the working directory, in a copy of it.
set -eu
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R . "$copy"
cd "$copy"
rm -rf notes
mkdir notes
printf '# Ant\nA.B is here\n' >notes/ant.md
printf '# Bee\naxb is here\n' >notes/bee.md
test "$(sh search.sh a.b)" = Ant
