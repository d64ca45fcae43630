#shell bash
#does read /t2  (by call 2)
show 2 "${!A[@]}"/t2
