#shell bash
#does delete /t3  (by call 3)
for y in "${!M[@]}"; do
declare -i y=1
done
read -n 1 y '$y'
rid 3 "$y"/t3
