// Loaded before a server that is measured: says what processor it has used when it is asked, and ends with who asks.
process.on('message', (asked) => {
  const { user, system } = process.cpuUsage()
  if (asked === 'cpu') process.send?.((user + system) / 1000)
})
process.on('disconnect', () => process.exit())
