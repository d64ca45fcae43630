#shell bash
#does delete /home/dev/p/d  (by call 1)
shopt -s inherit_errexit; set -e; rid 1 "d$(false; echo a)"
