#shell bash
#does delete /t2  (by call 2)
: "${y:x=0}"; rid 2 "$x"/t2
