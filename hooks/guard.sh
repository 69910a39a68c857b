# The command hook beside the module `register.js`: ends at once where the module has recorded the
# event, and is the whole hook where it has not.
#
# The arguments are the hook's own command. The module marks what it has recorded by a first member
# of the input: {"journal":"" for no answer, {"journal":"17" for the answer in file 17. Without a
# warm child's directory nothing of the input is read here.
# `read` takes one byte at a time and `head` is a process: the module says that an event is short by
# a file that is not empty. Either way the outcome is the same.
# An answer that is gone is lost: its event is recorded, so the hook must not run again.
folder="$CLAUDE_PLUGIN_DATA/warm/$CLAUDE_PID"
[ -d "$folder" ] || exec "$@"

if [ -s "$folder.short" ]; then
  IFS= read -r start && start="$start
"
else
  start=$(head -c 40)
fi
case $start in
  '{"journal":"","'*) exit 0 ;;
  '{"journal":"'[0-9]*)
    answer=${start#'{"journal":"'}
    answer=${answer%%\"*}
    case $answer in
      *[!0-9]*) ;;
      *)
        [ -f "$folder/$answer" ] && exec cat "$folder/$answer"
        exit 0
        ;;
    esac
    ;;
esac
{ printf '%s' "$start" && cat; } | "$@"
