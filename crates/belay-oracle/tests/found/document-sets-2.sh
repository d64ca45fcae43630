#shell bash
#does delete /home/dev/q  (by call 1)
unset x; (:) <<< "${x:=a}"
rid 1 "${x-../q}"
