#!/bin/sh
# Creates the git repositories that this packet works on, below ./workspace next
# to this script or in the directory given as the first argument. Repositories
# that are there are left alone.
set -eu

packet=${1:-$(dirname -- "$0")}
if [ ! -f "$packet/packet/prompt_runner_packet.md" ]; then
	echo "setup.sh: $packet has no packet/prompt_runner_packet.md; give the directory of the example" >&2
	exit 2
fi
packet=$(CDPATH='' cd -- "$packet" && pwd)

# A caller's repository, such as that of a running git hook, is not meant here.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY

for name in notes; do
	repo=$packet/workspace/$name
	if [ -e "$repo/.git" ] && git -C "$repo" rev-parse --quiet --verify HEAD >/dev/null; then
		echo "The repository is there already: $repo"
		continue
	fi
	mkdir -p -- "$repo"
	git -C "$repo" init --quiet
	git -C "$repo" symbolic-ref HEAD refs/heads/main
	git -C "$repo" config user.name "Prompt Runner Example"
	git -C "$repo" config user.email "example@prompt-runner.invalid"
	git -C "$repo" config commit.gpgsign false
	echo "The prompts of this packet work on $name." >"$repo/README.md"
	git -C "$repo" add README.md
	git -C "$repo" commit --quiet --message "chore: begin"
	echo "Created the repository $repo"
done
echo "Next: prompt-runner run $packet/packet"
