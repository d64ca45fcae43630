#shell bash
#does delete /t3  (by call 3)
read -t 0 x; rid 3 "${x+a}"/t3
