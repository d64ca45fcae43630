#shell zsh
#does delete /home/dev/p/d  (by call 3)
x=b x=("$x" "$x")
for x in $(echo d; ); do
t2
done
rid 3 "${x}"
