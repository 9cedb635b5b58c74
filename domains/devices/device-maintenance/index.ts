export { rollout, rolloutDevice } from './rollout.resource.ts'
