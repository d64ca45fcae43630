#shell bash
#does delete /home/dev/p/a  (by call 1)
${y:-rid} 1 a
