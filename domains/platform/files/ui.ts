export { ProviderEnableSwitch } from './provider.panel.tsx'
