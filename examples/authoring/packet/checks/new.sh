# Writes notes with the new.sh of the working directory, in a copy of it.
set -eu
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R . "$copy"
cd "$copy"
rm -rf notes
test "$(sh new.sh 'First Note')" = notes/first-note.md
test "$(head -n 1 notes/first-note.md)" = '# First Note'
if sh new.sh 'first note'; then
	echo 'a title that is taken was accepted' >&2
	exit 1
fi
