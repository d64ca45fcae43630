#shell bash
#does read /t3  (by call 3)
show 3 "${!M[@]}"/t3
