import './refusals.ts'

/** Loads the demo data of power devices, only when it is seeded. */
export const importEnergyDemo = () => import('./power.demo.ts')
