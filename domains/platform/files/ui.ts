export { EnableSwitch } from './provider.panel.tsx'
