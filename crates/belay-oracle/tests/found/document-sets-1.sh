#shell bash
#does delete /home/dev/q  (by call 1)
unset x; cat <<E
${x:=a}
E
rid 1 "${x-../q}"
