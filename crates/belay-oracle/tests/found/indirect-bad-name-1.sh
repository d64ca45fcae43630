#shell bash
#does delete /home/dev/p/a.t3  (by call 3)
x=a:a E=x
for y in a ~/s; do
case "${!x}" in
esac
done
rid 3 $y.t3
