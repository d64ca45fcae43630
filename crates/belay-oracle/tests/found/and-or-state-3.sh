#shell bash
#does delete /t1  (by call 1)
[ -z ] ||x="$(echo cat)"
rid 1 "$x"/t1
