export { CommandSteps, useSteps, type Steps } from './command-steps.tsx'
export { LinkState } from './link-state.tsx'
export { useClock } from './use-clock.ts'
export { SecretDialog, type SecretLine } from './secret-dialog.tsx'
