// Loaded into a measured server: reports the CPU time it has used when asked, and exits with its parent.
process.on('message', (message) => {
  const { user, system } = process.cpuUsage()
  if (message === 'cpu') process.send?.((user + system) / 1000)
})
process.on('disconnect', () => process.exit())
