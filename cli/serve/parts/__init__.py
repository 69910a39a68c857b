"""What the model is made of: listing, weighing, drawing, recording, packing."""
