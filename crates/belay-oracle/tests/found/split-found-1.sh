#shell bash
#does delete /home/dev/p/d  (by call 2)
x=~/s; for x in d/*.c; do :; done; IFS=/; set $x; rid 2 "$1"
