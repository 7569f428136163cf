#!/bin/sh
# Creates the git repository that this packet works on: ./workspace next to this
# script, or in the directory given as the first argument. Running it again
# leaves a repository that is there alone.
set -eu

packet=${1:-$(dirname -- "$0")}
if [ ! -f "$packet/prompt_runner_packet.md" ]; then
	echo "setup.sh: $packet has no prompt_runner_packet.md; give the directory of the packet" >&2
	exit 2
fi
packet=$(CDPATH='' cd -- "$packet" && pwd)
workspace=$packet/workspace

# A caller's repository, such as that of a running git hook, is not meant here.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY

if [ -e "$workspace/.git" ] && git -C "$workspace" rev-parse --quiet --verify HEAD >/dev/null; then
	echo "The repository is there already: $workspace"
else
	mkdir -p -- "$workspace"
	git -C "$workspace" init --quiet
	git -C "$workspace" symbolic-ref HEAD refs/heads/main
	git -C "$workspace" config user.name "Prompt Runner Example"
	git -C "$workspace" config user.email "example@prompt-runner.invalid"
	git -C "$workspace" config commit.gpgsign false
	echo "The prompts of this packet write their notes here." >"$workspace/README.md"
	git -C "$workspace" add README.md
	git -C "$workspace" commit --quiet --message "chore: begin"
	echo "Created the repository $workspace"
fi
echo "Next: prompt-runner run $packet"
