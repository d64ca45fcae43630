#shell bash
#does delete /home/dev/p/a  (by call 1)
x=$(exit 1) || rid 1 "${x:-$'a'}"
