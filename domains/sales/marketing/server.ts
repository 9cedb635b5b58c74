import './refusals.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { tagPromotionsSlot } from '#domains/devices/shelf-labels/api.ts'
import { discountConfServer } from './campaign.server.ts'
import { marketingDictionaries } from './dictionaries.ts'
import { refreshCampaignTagsJob, endCampaignJob, endOverdueMarketingJob, simulateCampaignJob } from './marketing.job.ts'
import { goodBarcodeExtension } from './follow-barcodes.ts'
import { marketingRoutes } from './preview.server.ts'
import { advertisingServer, bannerConfServer, marketingInfoServer, shopMarktingServer } from './shown.server.ts'
import { campaignUseTable, priceQuoteTable } from './tables.ts'
import { customerTicketServer, discountTicketServer } from './tickets.server.ts'
import { findTagPromotions } from './tags-of-campaigns.ts'
import { marketingRetentionRules, marketingParams } from './params.ts'

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
  extends: [goodBarcodeExtension],
  routes: marketingRoutes,
  tables: [priceQuoteTable, campaignUseTable],
  jobs: [refreshCampaignTagsJob, endCampaignJob, endOverdueMarketingJob, simulateCampaignJob],
  dictionaries: marketingDictionaries,
  params: marketingParams,
  retention: marketingRetentionRules,
  start: async (services) => services.slots.fill(tagPromotionsSlot, findTagPromotions),
  menus: [{ code: 'marketing', label: { zh: '营销', en: 'Marketing' }, path: '/marketing', icon: 'gift', sort: 50 }],
})
