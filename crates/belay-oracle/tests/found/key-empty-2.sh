#shell bash
#does delete /home/dev/p/a  (by call 2)
declare -A M=([a]=a); x=; z=a
for i in 1 2; do M[$x]=3; z=b; done
rid 2 "$z"
