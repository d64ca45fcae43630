#shell zsh
#does read /home/dev/p/0/t3  (by call 3)
x="$!"
show 3 "${x-b}"/t3
