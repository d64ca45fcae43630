#shell bash
#does delete /home/dev/p/b  (by call 3)
for x in a; do
z=$((n))
y=$(echo a)
done
rid 3 "${y:-${y:-b}}"
