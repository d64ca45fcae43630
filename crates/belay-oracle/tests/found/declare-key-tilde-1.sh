#shell bash
#does delete /home/dev/s/t1  (by call 1)
declare -A M=([a]=d); declare M[a]=~/s; rid 1 "${M[a]}"/t1
