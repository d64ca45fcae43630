#shell bash
#does delete /home/dev/p/2  (by call 1)
n=1; declare -a B=([0]="$((n+=1))")
rid 1 "${B[0]}"
