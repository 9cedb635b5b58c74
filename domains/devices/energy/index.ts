export { epaDevice, epaGateway } from './epa.resource.ts'
export { powerRule } from './power-rule.resource.ts'
export { powerTariff } from './power-tariff.resource.ts'
