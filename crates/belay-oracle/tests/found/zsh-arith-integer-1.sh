#shell zsh
#does delete /home/dev/p/0  (by call 1)
for (( x=0, n=0; n<2; )); do
x=a; rid 1 "$x"
done
