#shell zsh
#does delete /home/dev/p/a/t2  (by call 2)
f() {
f() {
break
}
for x in a b; do
f
done
}
f
rid 2 "${x}"/t2
