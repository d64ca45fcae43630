#shell bash
#does delete /home/dev/p/d/e  (by call 1)
bash -c 'rid 1 "$1"' d/* a
