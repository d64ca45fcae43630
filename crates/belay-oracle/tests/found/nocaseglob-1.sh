#shell bash
#does delete /home/dev/p/q1  (by call 1)
touch q1; shopt -s nocaseglob; rid 1 Q*
