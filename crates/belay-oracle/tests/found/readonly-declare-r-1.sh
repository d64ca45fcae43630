#shell bash
#does delete /home/dev/p/1  (by call 1)
readonly x="$((n+=1))"
rid 1 "$x"
