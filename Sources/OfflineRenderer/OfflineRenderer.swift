// OfflineRenderer
