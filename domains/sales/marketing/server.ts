import './refusals.ts'
import { defineModule } from '#kit/server/module.ts'
import { tagPromotions } from '#domains/devices/shelf-labels/api.ts'
import { discountConfServer } from './campaign.server.ts'
import { marketingDictionaries } from './dictionaries.ts'
import { campaignTagsJob, endCampaignJob, marketingSweepJob, rehearseJob } from './marketing.job.ts'
import { goodBarcodes } from './follow-barcodes.ts'
import { marketingRoutes } from './preview.server.ts'
import { advertisingServer, bannerConfServer, marketingInfoServer, shopMarktingServer } from './shown.server.ts'
import { campaignUseTable, priceQuoteTable } from './tables.ts'
import { customerTicketServer, discountTicketServer } from './tickets.server.ts'
import { promotionsOf } from './tags-of-campaigns.ts'
import { marketingForgets, marketingParams } from './params.ts'

export default defineModule({
  name: 'sales/marketing',
  label: { zh: '营销', en: 'Marketing' },
  resources: [
    discountConfServer,
    discountTicketServer,
    customerTicketServer,
    bannerConfServer,
    advertisingServer,
    marketingInfoServer,
    shopMarktingServer,
  ],
  extends: [goodBarcodes],
  routes: marketingRoutes,
  tables: [priceQuoteTable, campaignUseTable],
  jobs: [campaignTagsJob, endCampaignJob, marketingSweepJob, rehearseJob],
  dictionaries: marketingDictionaries,
  params: marketingParams,
  retention: marketingForgets,
  start: async (services) => services.slots.fill(tagPromotions, promotionsOf),
  menus: [{ code: 'marketing', label: { zh: '营销', en: 'Marketing' }, path: '/marketing', icon: 'gift', sort: 50 }],
})
