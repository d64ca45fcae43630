#shell bash
#does delete /home/dev/p/b  (by call 1)
${y:-rid} 1 b
