export { OnlineState } from './online-state.tsx'
