#shell bash
#does delete /home/dev/p/d/e  (by call 2)
for z in {d/e,b}; do
declare -A M=([a]=a [b]=d); : "${M['']:=b}"; done
rid 2 "$z"*
