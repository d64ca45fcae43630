#shell bash
#does delete /home/dev/p/a  (by call 1)
f() { local -; set -f; }
f; rid 1 *
