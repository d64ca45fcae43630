#shell bash
#does delete /home/dev/t1  (by call 1)
PS4='$(rid 1 t1)'; set -x; cd
