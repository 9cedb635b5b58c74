/** Source of the list of regions and its date: the ministry publishes one for each year's end. */
export const REGION_DATA_SOURCE = {
  name: {
    zh: '民政部《2024年中华人民共和国县以上行政区划代码》',
    en: 'County-level administrative division codes, 2024 (Ministry of Civil Affairs)',
  },
  asOf: '2024-12-31',
} as const
