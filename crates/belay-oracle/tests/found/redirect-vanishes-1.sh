#shell bash
#does write /home/dev/p/.t1
#does write /home/dev/p/a.t1
A=("$z" "$y")
tell a > ${A[*]}.t1
