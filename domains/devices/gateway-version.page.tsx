import { page } from '#kit/web/page.tsx'
import { versionCells } from './version-cells.tsx'
import { clientVersion } from './versions.resource.ts'

export default page(clientVersion, {
  intro: {
    zh: '网关程序的版本，按型号发布：先给一部分网关，没问题再放开比例',
    en: 'Versions of the gateway program, by model: a part of the gateways first, then more',
  },
  cells: versionCells,
})
