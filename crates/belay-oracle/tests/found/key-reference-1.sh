#shell bash
#does delete /home/dev/q  (by call 1)
n=1; declare -A M=([n]=d); declare -n R=M; R[n]=../q; rid 1 "${M[n]}"
