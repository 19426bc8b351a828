"""The kit that every report is made with: verdict lines, tables, pages, JSON documents, JUnit XML.  It knows no domain."""
