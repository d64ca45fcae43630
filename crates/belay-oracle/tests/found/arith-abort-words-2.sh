#shell bash
#does delete /home/dev/s  (by call 1)
set "$((n+=1))" "$(echo b)"
rid 1 "$n"
