"""`news` crawls sites, `pages` reads archives."""
